/**
 * Names the encoder of this executable, by which its vectors are told from those of others: a name, and the beginning of the SHA-256 of
 * `encoder.bin` with `vocabulary.txt` behind it. Written down here, as to read 46 MB would hold up every start; a test holds it against the files.
 * Where the forms of `Encoder` change, the name does.
 */
export const ENCODER_VERSION = "e5-small-970cb0f9cc42";
