import { bundledDecode } from './bundledDecode.ts'
import type { Decode } from './Decode.ts'
import { nativeDecode } from '../../redeem/camera/nativeDecode.ts'

let decoder: Promise<Decode> | undefined

/**
 * The reader of this browser: its own, else the bundled one. Made once for the tab; after a failure, of its making or its work,
 * the next call makes a new one.
 * @throws Error when neither can be had.
 */
export function openDecoder(): Promise<Decode> {
  decoder ??= choose().then((decode) => (picture) => decode(picture).catch(forget), forget)
  return decoder
}

function forget(error: unknown): never {
  decoder = undefined
  throw error
}

async function choose(): Promise<Decode> {
  const native = await nativeDecode()
  return native ? untilItFails(native) : bundledDecode()
}

/** A browser can promise both codes and then miss the part of the system that reads them. */
function untilItFails(native: Decode): Decode {
  let bundled: Promise<Decode> | undefined
  return async (picture) => {
    if (!bundled) {
      try {
        return await native(picture)
      } catch {
        bundled = bundledDecode()
      }
    }
    return (await bundled)(picture)
  }
}
