import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'

interface Props {
  /** The word on the screen. */
  word: string
  onNext: () => void
}

/** In a window of a few lines the button is below the verdict, which must stay in view. */
const UNMOVED = { preventScroll: true }

/** Always in the same place. It gets the focus as soon as there is a verdict, so that Enter goes on. The live region says the verdict. */
export function NextButton({ word, onNext }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(UNMOVED), [])
  useEffect(() => {
    // Other words may have removed the element with the focus. If another element has it, a dialog or a menu may be open.
    if (document.activeElement === document.body) button.current?.focus(UNMOVED)
  }, [word])
  return (
    <Button
      ref={button}
      big
      variant="primary"
      className="ml-auto min-w-[18rem] phone:ml-0 phone:min-h-[3.5rem] phone:min-w-0 phone:flex-1 tiny:px-2 tiny:text-base"
      onClick={onNext}
    >
      Next customer
    </Button>
  )
}
