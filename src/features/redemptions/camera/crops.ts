/** A part of the camera's picture, in its own pixels, and by how much it is turned before it is read. */
export interface Crop {
  width: number
  height: number
  turn: number
}

export interface Size {
  width: number
  height: number
}

/** Of what is seen: about the drawn frame with its surroundings. */
const MIDDLE = 2 / 3
const MIDDLE_SHAPE = 4 / 3
/** More pixels than this only cost time. */
const LARGEST = 1280

/**
 * The looks that take turns, for a picture of size `video` shown in a `box` that it covers. Bars are read up to about 25 degrees
 * from level or upright, so one look is turned by 45. Close around the code the contrast is judged better, which is worth more in
 * blur and darkness than a wide view; the widest look is everything that the person sees, and nothing that they do not.
 */
export function cropsOf(video: Size, box: Size): Crop[] {
  const scale = Math.max(box.width / video.width, box.height / video.height)
  const seen = { width: box.width / scale, height: box.height / scale }
  const width = Math.min(seen.width, seen.height * MIDDLE_SHAPE) * MIDDLE
  const middle = { width, height: Math.min(width / MIDDLE_SHAPE, seen.height) }
  return [
    { ...middle, turn: 0 },
    { ...middle, turn: 45 },
    { ...seen, turn: 0 },
  ]
}

/** The pixels of one look at a picture of size `whole`. The canvas is the caller's, used again for each. */
export function readCrop(
  picture: CanvasImageSource,
  whole: Size,
  look: Crop,
  canvas: HTMLCanvasElement,
): ImageData | undefined {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  const scale = Math.min(1, LARGEST / Math.max(look.width, look.height))
  canvas.width = Math.round(look.width * scale)
  canvas.height = Math.round(look.height * scale)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((-look.turn * Math.PI) / 180)
  context.scale(scale, scale)
  context.drawImage(picture, -whole.width / 2, -whole.height / 2)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
