/** Characters that a password has at least; a test holds it to `LEAST_PASSWORD_LENGTH` of `domain/operator/access.ts`. */
export const LEAST_PASSWORD_LENGTH = 12;
