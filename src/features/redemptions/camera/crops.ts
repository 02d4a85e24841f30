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

/** The part of the view that is read close: about the drawn frame with its surroundings. */
const MIDDLE = 2 / 3
const MIDDLE_SHAPE = 4 / 3
/** More pixels than this only cost time. */
const LARGEST = 1280

/**
 * The crops that take turns, for a picture of size `video` shown in a `box` that it covers. Bars are read up to about 25 degrees
 * from level or upright, so one crop is turned by 45. Close around the code the contrast is better, which helps more in blur and
 * darkness than a wide view. The widest crop is everything that the person sees, and nothing else.
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

/** The pixels of one crop of a picture of size `whole`. The caller's canvas is used again for each. */
export function readCrop(
  picture: CanvasImageSource,
  whole: Size,
  crop: Crop,
  canvas: HTMLCanvasElement,
): ImageData | undefined {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  const scale = Math.min(1, LARGEST / Math.max(crop.width, crop.height))
  canvas.width = Math.round(crop.width * scale)
  canvas.height = Math.round(crop.height * scale)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((-crop.turn * Math.PI) / 180)
  context.scale(scale, scale)
  context.drawImage(picture, -whole.width / 2, -whole.height / 2)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
