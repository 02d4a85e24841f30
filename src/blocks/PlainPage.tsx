import { PlainFrame } from './PlainFrame.tsx'
import { UnbuiltPage } from './UnbuiltPage.tsx'

/** A public screen that is not built yet, in the empty layout. */
export function PlainPage({ title, line }: { title: string; line: string }) {
  return (
    <PlainFrame>
      <div className="mx-auto max-w-form px-4 py-12">
        <UnbuiltPage title={title} line={line} />
      </div>
    </PlainFrame>
  )
}
