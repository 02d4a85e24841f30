import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { sounds } from '../../state/sounds.ts'

/** The tones of a verdict come first: a word that begins with them is not understood. */
const AFTER_TONES_MS = 400

/** A voice of a distant server would be silent without a connection. Some devices write `en_SG`, and a web view has no voices at all. */
const englishVoice = (): SpeechSynthesisVoice | undefined =>
  globalThis.speechSynthesis?.getVoices().find(({ localService, lang }) => localService && /^en(?:[-_]|$)/i.test(lang))

/** Whether this device can say a verdict, with or without a connection. The browser may load its voices only when it is first asked. */
export function useHasVoice(): boolean {
  const follow = useCallback((changed: () => void) => {
    globalThis.speechSynthesis?.addEventListener('voiceschanged', changed)
    return () => globalThis.speechSynthesis?.removeEventListener('voiceschanged', changed)
  }, [])
  return useSyncExternalStore(follow, () => englishVoice() !== undefined)
}

/**
 * Says `text`, once for as long as it stays, where the person has chosen so. Returns whether the device says it, so that a screen reader
 * need not: until then, and when it fails, that is left to the screen reader.
 */
export function useAloud(text: string | undefined): boolean {
  const hasVoice = useHasVoice()
  const [failed, setFailed] = useState<string>()
  // As it was when the words came: voices that are loaded later must not say them again.
  const [mayVoice] = useState(() => hasVoice && sounds.on && sounds.voice && !document.hidden)
  const says = mayVoice && text !== undefined && failed !== text
  useEffect(() => (says ? speakAloud(text, () => setFailed(text)) : undefined), [says, text])
  return says
}

/** Returns what to call when its reason has left the screen. */
export function speakAloud(text: string, onFailure: () => void = () => undefined): () => void {
  let hasLeft = false
  const speak = () => {
    const voice = englishVoice()
    const words = new SpeechSynthesisUtterance(text)
    if (!voice) return onFailure()
    words.voice = voice
    words.lang = voice.lang
    words.volume = VOLUMES[sounds.volume]
    words.addEventListener('error', () => hasLeft || onFailure())
    speechSynthesis.cancel()
    speechSynthesis.speak(words)
  }
  const timer = setTimeout(speak, AFTER_TONES_MS)
  return () => {
    hasLeft = true
    clearTimeout(timer)
    speechSynthesis.cancel()
  }
}

const VOLUMES = { low: 0.3, medium: 0.65, high: 1 } as const
