/** Globals of the browser and of Node; the domain is compiled without the types of either. */
declare function atob(data: string): string
declare function btoa(data: string): string

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Returns the bytes as a text with one character for each; throws if the text is neither base64 nor base64url. */
export const binaryOf = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(binaryOf(text), (character) => character.codePointAt(0)!)
