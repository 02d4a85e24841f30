import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { bundledDecode } from '../../../../src/features/redemptions/camera/bundledDecode.ts'
import { cropsOf, readCrop } from '../../../../src/features/redemptions/camera/crops.ts'
import type { Decode } from '../../../../src/features/redemptions/camera/Decode.ts'
import { nativeDecode } from '../../../../src/features/redemptions/camera/openDecoder.ts'

/** The counter's camera view on a tablet of 1280 × 800. */
const BOX = { width: 776, height: 551 }

/** How a frame is decoded: answers the text it found. */
type Way = (frame: ImageBitmap) => Promise<string | undefined>

const ways: Record<string, () => Promise<Way | undefined>> = {
  bundled: async () => asTheCounterDoes(await bundledDecode()),
  native: async () => {
    const decode = await nativeDecode()
    return decode && asTheCounterDoes(decode)
  },
  library: async () => {
    await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })
    return asTheLibraryDoes
  },
}

/** One look after the other, until one finds something or all have been taken. */
function asTheCounterDoes(decode: Decode): Way {
  const canvas = document.createElement('canvas')
  return async (frame) => {
    for (const look of cropsOf(frame, BOX)) {
      const picture = readCrop(frame, frame, look, canvas)
      const [sighting] = picture ? await decode(picture) : []
      if (sighting) return sighting.text
    }
    return undefined
  }
}

/** The whole frame in the page, with the library's own settings. */
const asTheLibraryDoes: Way = async (frame) => {
  const canvas = document.createElement('canvas')
  const whole = { width: frame.width, height: frame.height, turn: 0 }
  const picture = readCrop(frame, frame, whole, canvas)
  const [found] = picture ? await readBarcodes(picture, { formats: ['EAN13', 'QRCode'] }) : []
  return found?.text
}

/** Milliseconds of each of `times` decodings of a JPEG, and what was read; nothing where this browser has no such way. */
async function measure(way: string, jpeg: string, times: number) {
  const decode = await ways[way]?.()
  if (!decode) return undefined
  const blob = await (await fetch(jpeg)).blob()
  const frame = await createImageBitmap(blob)
  const text = await decode(frame)
  const durations: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const started = performance.now()
    await decode(frame)
    durations.push(performance.now() - started)
  }
  return { text, durations }
}

Object.assign(globalThis, { measure })
