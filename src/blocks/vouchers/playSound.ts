import { sounds, type Volume } from '../../state/sounds.ts'

interface Tone {
  hertz: number
  /** Seconds after the start of the sound. */
  at: number
  seconds: number
  /** A square wave buzzes. A small speaker plays its overtones even if it cannot play the tone itself. */
  wave?: 'square'
}

interface SoundParts {
  tones: readonly Tone[]
  /** Milliseconds on, off, on, for a device that vibrates. */
  buzz: number[]
}

/**
 * The sounds differ in rhythm, direction and timbre, not in pitch alone: the speaker of a cheap tablet carries little below 400 Hz. A success rises,
 * a refusal is low and buzzes, and a problem that can still be corrected stays in between.
 */
const SOUNDS = {
  good: { tones: [{ hertz: 1175, at: 0, seconds: 0.14 }], buzz: [40] },
  redeemed: {
    tones: [
      { hertz: 660, at: 0, seconds: 0.12 },
      { hertz: 990, at: 0.13, seconds: 0.2 },
    ],
    buzz: [60],
  },
  risk: {
    tones: [
      { hertz: 660, at: 0, seconds: 0.12 },
      { hertz: 440, at: 0.13, seconds: 0.3 },
    ],
    buzz: [60, 80, 60, 80, 60],
  },
  refused: { tones: [{ hertz: 220, at: 0, seconds: 0.5, wave: 'square' }], buzz: [300] },
  'on hold': {
    tones: [
      { hertz: 784, at: 0, seconds: 0.14 },
      { hertz: 587, at: 0.18, seconds: 0.14 },
      { hertz: 784, at: 0.36, seconds: 0.24 },
    ],
    buzz: [60, 80, 180],
  },
  unchecked: {
    tones: [
      { hertz: 523, at: 0, seconds: 0.1 },
      { hertz: 523, at: 0.18, seconds: 0.1 },
    ],
    buzz: [80, 120, 80],
  },
  /** A scan was not taken. The scanner has beeped as if all were well. */
  missed: {
    tones: [
      { hertz: 277, at: 0, seconds: 0.15, wave: 'square' },
      { hertz: 277, at: 0.25, seconds: 0.25, wave: 'square' },
    ],
    buzz: [150, 100, 150],
  },
} satisfies Record<string, SoundParts>

export type Sound = keyof typeof SOUNDS

const GAINS: Record<Volume, number> = { low: 0.08, medium: 0.25, high: 0.8 }

/** A square wave sounds louder than a pure tone, so it is played at this share of the volume. */
const SQUARE_GAIN = 0.4

let context: AudioContext | undefined

/** The current sound. The next sound ends it, because two at a time could not be told apart. */
let playing: GainNode | undefined

/**
 * Plays a sound and vibrates, where the device and the browser can. Before the person touches the page, the audio clock may not
 * run, and a scheduled sound would play together with the next sound: so a sound waits for the clock. Returns a function that
 * cancels a sound that has not begun, for when its reason has left the screen.
 */
export function playSound(sound: Sound): () => void {
  let hasLeft = false
  const mayPlay = () => sounds.on && !document.hidden && !hasLeft
  const { tones, buzz }: SoundParts = SOUNDS[sound]
  if (mayPlay()) {
    // Chromium logs an error for a vibration before the first touch, for example on a reloaded page with an open voucher.
    if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(buzz)
    if (typeof AudioContext !== 'undefined') {
      const audio = (context ??= new AudioContext())
      void audio.resume().then(
        () => mayPlay() && schedule(audio, tones),
        () => undefined,
      )
    }
  }
  return () => {
    hasLeft = true
  }
}

function schedule(audio: AudioContext, tones: readonly Tone[]) {
  playing?.disconnect()
  playing = audio.createGain()
  playing.gain.value = GAINS[sounds.volume]
  playing.connect(audio.destination)
  for (const tone of tones) scheduleTone(audio, tone).connect(playing)
}

function scheduleTone(audio: AudioContext, { hertz, at, seconds, wave }: Tone): AudioNode {
  const oscillator = audio.createOscillator()
  const fading = audio.createGain()
  const start = audio.currentTime + at
  oscillator.type = wave ?? 'sine'
  oscillator.frequency.value = hertz
  fading.gain.setValueAtTime(wave ? SQUARE_GAIN : 1, start)
  // Fading out avoids the click of a wave that is cut off.
  fading.gain.exponentialRampToValueAtTime(0.005, start + seconds)
  oscillator.connect(fading)
  oscillator.start(start)
  oscillator.stop(start + seconds)
  return fading
}
