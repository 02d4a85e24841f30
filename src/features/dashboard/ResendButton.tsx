import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { Button } from '../../ui/Button.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** The act of the lists' menus as a button; it says why it cannot be used. */
export function ResendButton({ name, item }: { name: string; item: MenuItem }) {
  const offline = useOffline()
  const still = offline || item.disabled === true
  return (
    <Button
      variant="quiet"
      aria-label={`Resend activation email to ${name}`}
      aria-disabled={still || undefined}
      title={offline ? 'Needs a connection' : typeof item.hint === 'string' ? item.hint : undefined}
      onClick={item.onSelect}
    >
      Resend
    </Button>
  )
}
