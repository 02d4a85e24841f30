import sharp from 'sharp'

interface Wanted {
  width: number
  height: number
  format?: 'png' | 'jpeg'
}

/** Makes a picture like one of a real device, with metadata that contains a location. */
export async function makeImage({ width, height, format = 'png' }: Wanted): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 160 } } })
  const located = drawn.withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '1/1 17/1 0/1' } })
  const encoded = await (format === 'png' ? located.png() : located.jpeg()).toBuffer()
  return new Uint8Array(encoded)
}
