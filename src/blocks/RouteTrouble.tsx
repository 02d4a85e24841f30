import type { ErrorComponentProps } from '@tanstack/react-router'
import { Blank } from '../ui/Blank.tsx'
import { Button } from '../ui/Button.tsx'

/** A screen that broke: its chunk could not be loaded, or it has a bug. The other screens go on working. */
export function RouteTrouble({ reset }: ErrorComponentProps) {
  return (
    <Blank
      icon="alert"
      title="This screen could not be shown"
      text="Nothing was changed. Try again; if it stays, reload the page when the device is online."
      actions={<Button onClick={reset}>Try again</Button>}
    />
  )
}
