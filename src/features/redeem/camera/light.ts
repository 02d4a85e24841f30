/** What TypeScript's own library does not know yet. */
type Capabilities = MediaTrackCapabilities & { torch?: boolean }

/** Whether the camera has a light that a page may switch. */
export function hasLight(stream: MediaStream): boolean {
  const track = stream.getVideoTracks()[0]
  // Not in every browser.
  const capabilities: Capabilities | undefined = track?.getCapabilities?.()
  return capabilities?.torch === true
}

/** Answers whether it is on now: a device may refuse, when its battery is low for one. */
export async function switchLight(stream: MediaStream, on: boolean): Promise<boolean> {
  const wish = { advanced: [{ torch: on } as MediaTrackConstraintSet] }
  return (
    stream
      .getVideoTracks()[0]
      ?.applyConstraints(wish)
      .then(
        () => on,
        () => !on,
      ) ?? false
  )
}
