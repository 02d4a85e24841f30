/** The largest size of a preview in pixels: twice its size on the page, for dense screens. */
const PREVIEW = { width: 144, height: 96 }

export interface Picture {
  /** Pixels. */
  width: number
  height: number
  preview: string
}

/** Decodes an image file. Rejects if it is not an image. */
export async function pictureOf(file: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const scale = Math.min(PREVIEW.width / width, PREVIEW.height / height, 1)
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const preview = draw(small, (context) => context.drawImage(bitmap, 0, 0, small.width, small.height))
  bitmap.close()
  return { width, height, preview: preview.toDataURL('image/jpeg', 0.8) }
}

/** A rectangle of an image in the image's own pixels; anything outside of the image is white. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** Returns `area` of the image at `url` as a PNG of `size`. At the size of a logo, a PNG is below every limit. */
export async function cropped(url: string, area: Area, size: { width: number; height: number }): Promise<Blob> {
  const image = new Image()
  image.src = url
  await image.decode()
  const scale = size.width / area.width
  const canvas = draw(size, (context) =>
    context.drawImage(image, -area.x * scale, -area.y * scale, image.naturalWidth * scale, image.naturalHeight * scale),
  )
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas gave no image'))), 'image/png'),
  )
}

function draw(size: { width: number; height: number }, paint: (context: CanvasRenderingContext2D) => void) {
  const canvas = Object.assign(document.createElement('canvas'), size)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.fillStyle = 'white'
  context.fillRect(0, 0, size.width, size.height)
  paint(context)
  return canvas
}
