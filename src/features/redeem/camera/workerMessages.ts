import type { Sighting } from '../../redemptions/camera/Decode.ts'

/** One picture; its pixels change hands. */
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
