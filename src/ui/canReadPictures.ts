/** The colours of two pixels. */
const KNOWN = [0x10, 0x20, 0x30, 0xff, 0xd0, 0xc0, 0xb0, 0xff]
/** Some browsers change the lowest bits, which is not visible. */
const HARMLESS = 8

/** Returns false in a browser that hides drawn pixels against fingerprinting: the page would read stripes or noise. */
export function canReadPictures(): boolean {
  const canvas = Object.assign(document.createElement('canvas'), { width: 2, height: 1 })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.putImageData(new ImageData(Uint8ClampedArray.from(KNOWN), 2, 1), 0, 0)
  const { data } = context.getImageData(0, 0, 2, 1)
  return KNOWN.every((level, at) => Math.abs(data[at]! - level) <= HARMLESS)
}
