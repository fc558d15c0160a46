const MAX_HEADER_LENGTH = 1024;
const BEARER = /^[ \t]*bearer +([A-Za-z0-9._~+/-]+=*)[ \t]*$/i;

/**
 * The credentials of an `Authorization: Bearer …` header (RFC 6750 §2.1, RFC 9110 §11.4): scheme in any case, then spaces,
 * then one token68. Undefined for another scheme, two values in one header, or more than 1,024 characters.
 */
export function parseBearer(header: string | null | undefined): string | undefined {
  if (header == null || header.length > MAX_HEADER_LENGTH) return undefined;
  return BEARER.exec(header)?.[1];
}
