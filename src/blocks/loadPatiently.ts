const AGAIN_MS = 5_000

/**
 * What stands beside the screen or under it, and must not take it along: missing while the line cannot bring its file, there as
 * soon as it can. Settles only then, and never rejects. A browser asks anew for a file that failed.
 */
export async function retryImport<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    const part = await load().catch(() => undefined)
    if (part) return part
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
