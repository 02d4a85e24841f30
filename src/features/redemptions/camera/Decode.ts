/** One code in a picture, as it was read. */
export interface Sighting {
  kind: 'ean13' | 'qr'
  text: string
}

/** The pixels of a picture, as a canvas gives them. */
export interface Picture {
  data: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

/**
 * What is done to pixels before they are read. `negative`: for white on black. `flat`: each becomes black or white against the
 * pixels `around` it alone, which takes lamps, shadows and faded ink away. A few bars or modules have to lie around it.
 */
export type Treatment = { is: 'negative' } | { is: 'flat'; around: number }

/**
 * Every EAN-13 and QR code that a picture shows after its treatment.
 * @throws when the reader itself is broken; a picture without a code is an empty list.
 */
export type Decode = (picture: Picture, treatment?: Treatment) => Promise<Sighting[]>

/** One picture. Its pixels are transferred to the worker, not copied. */
export interface DecoderRequest {
  id: number
  picture: Picture
  treatment: Treatment | undefined
}

export type DecoderMessage =
  | { is: 'ready' }
  | { is: 'broken'; why: string }
  | { is: 'read'; id: number; sightings: Sighting[] }
  | { is: 'failed'; id: number; why: string }
