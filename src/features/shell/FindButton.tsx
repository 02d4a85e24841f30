import { keyLabels } from '../../blocks/shortcuts/keyWords.ts'
import { openPalette } from '../../state/palette.ts'
import { Icon } from '../../ui/Icon.tsx'

/** The visible way to the palette: with its key where there is a keyboard and room, an icon on a phone. */
export function PaletteButton() {
  return (
    <button
      type="button"
      className="find"
      aria-label="Find or do"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={openPalette}
    >
      <Icon name="search" />
      <span>Find or do</span>
      <kbd>{keyLabels('Mod+k').join(' ')}</kbd>
    </button>
  )
}
