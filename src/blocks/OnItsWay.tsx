import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

const LATE_MS = 1_000

/** Nothing for a second: most files lie on the device. */
export function OnItsWay({ onClose }: { onClose: () => void }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Dialog open={late} onClose={onClose} title="Still loading" actions={<Button onClick={onClose}>Cancel</Button>}>
      This part is not on this device yet. It opens by itself once the line has brought it.
    </Dialog>
  )
}
