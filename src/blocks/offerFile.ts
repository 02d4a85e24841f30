import { showToast } from '../state/toasts.ts'
import { saveFile } from './downloads/saveFile.ts'

/** Hands a file over and says so. Where a share sheet takes files, the tap may have been too long ago when a big one arrives. */
export async function saveFileWithToast(file: File): Promise<void> {
  const outcome = await saveFile(file)
  if (outcome === 'saved') showToast({ tone: 'success', text: `${file.name} saved` })
  if (outcome !== 'refused') return
  showToast({
    tone: 'info',
    text: `${file.name} is ready.`,
    stays: true,
    action: { label: 'Save', run: () => void saveFileWithToast(file) },
  })
}
