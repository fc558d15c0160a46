/** 128 random bits, to name a request or a message. `crypto.randomUUID` is there in secure contexts alone, and pages may be served over http. */
export const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
