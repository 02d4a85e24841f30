import { useId, type ReactNode } from 'react'

interface PanelProps {
  title: string
  /** At the right of the title. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** Facts or controls that belong together, under their name. */
export function Panel({ title, action, className, children }: PanelProps) {
  const id = useId()
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  )
}
