/** One code that was read in a picture. */
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
 * A change of the pixels before they are read. `negative`: for white on black. `flat`: makes each pixel black or white by
 * comparing it with the average of its neighbours, `around` pixels to each side. This removes reflections, shadows and faded ink.
 * `around` must span a few bars or modules.
 */
export type Treatment = { is: 'negative' } | { is: 'flat'; around: number }

/**
 * Returns every EAN-13 and QR code that a picture shows after its treatment. A picture without a code gives an empty list.
 * @throws when the reader itself is broken.
 */
export type Decode = (picture: Picture, treatment?: Treatment) => Promise<Sighting[]>

/** A request to decode one picture. Its pixels are transferred to the worker, not copied. */
export interface DecoderRequest {
  id: number
  picture: Picture
  treatment: Treatment | undefined
}

/** A message from the worker: the reader is ready or cannot be loaded, or the result for the request `id`. */
export type DecoderMessage =
  | { is: 'ready' }
  | { is: 'broken'; why: string }
  | { is: 'read'; id: number; sightings: Sighting[] }
  | { is: 'failed'; id: number; why: string }
