import type { ReactNode } from 'react'
import { Actions } from './Button.tsx'
import { Icon, type Drawing } from './Icon.tsx'

/** Says what is missing or went wrong, with one action. */
export function EmptyState(props: {
  icon?: Drawing
  /** Instead of the icon, where nothing went wrong. */
  drawing?: Drawing | false
  title: string
  text?: ReactNode
  actions?: ReactNode
  role?: 'alert'
}) {
  const picture = props.drawing || <Icon drawing={props.icon!} size="large" className="text-muted" />
  return (
    <div className="grid justify-items-center gap-2 px-6 py-10 text-center" role={props.role} data-empty>
      <div>{picture}</div>
      <h2 className="text-sm">{props.title}</h2>
      {props.text && <p className="max-w-[26rem] text-muted">{props.text}</p>}
      {props.actions && <Actions className="mt-2">{props.actions}</Actions>}
    </div>
  )
}
