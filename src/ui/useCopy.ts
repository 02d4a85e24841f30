import { useState } from 'react'

/** Copies `text` and tells what came of it; `said` is empty before the first press. */
export function useCopy(text: string): { copy: () => void; said: string } {
  const [said, setSaid] = useState('')
  const copy = () =>
    void write(text).then(
      () => setSaid('Copied.'),
      () => setSaid('This browser does not allow copying here. Select the text and copy it by hand.'),
    )
  return { copy, said }
}

/** Outside of secure contexts there is no clipboard at all. */
async function write(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
