/** One code in a picture, as it was read. */
export interface Sighting {
  kind: 'ean13' | 'qr'
  text: string
}

/**
 * Every EAN-13 and QR code that a picture shows.
 * @throws when the reader itself is broken; a picture without a code is an empty list.
 */
export type Decode = (picture: ImageData) => Promise<Sighting[]>

/** One picture. Its pixels are transferred to the worker, not copied. */
export interface DecoderRequest {
  id: number
  pixels: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

export type DecoderMessage =
  | { is: 'ready' }
  | { is: 'broken'; why: string }
  | { is: 'read'; id: number; sightings: Sighting[] }
  | { is: 'failed'; id: number; why: string }
