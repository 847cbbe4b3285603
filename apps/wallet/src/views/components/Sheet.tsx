import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'

type SheetProps = {
  isOpen: boolean
  title: ReactNode
  /** Changes with the content, so that focus moves to the new title. */
  contentKey: string
  /** Called when the user closes the sheet without a decision. */
  onClose(): void
  children: ReactNode
  /** The buttons at the bottom, the primary one last. */
  footer: ReactNode
}

/** A native modal dialog at the bottom of the wallet. It stays in the page while closed, so that focus can return. */
export function Sheet({ isOpen, title, contentKey, onClose, children, footer }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()

  // Runs before anything else: a close event of the last content may still be pending.
  useLayoutEffect(() => {
    const { current } = dialog
    if (current === null || current.open === isOpen) return
    if (isOpen) current.showModal()
    else current.close()
  }, [isOpen])

  useEffect(() => {
    if (!isOpen) return
    dialog.current?.scrollTo(0, 0)
    heading.current?.focus()
  }, [isOpen, contentKey])

  return (
    <dialog
      ref={dialog}
      className="sheet"
      closedby="any"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // Browsers ignore `preventDefault` for the second Escape in a row.
        if (isOpen && !currentTarget.open) onClose()
      }}
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 ref={heading} id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="sheet-content">{children}</div>
        <footer className="sheet-foot">{footer}</footer>
      </div>
    </dialog>
  )
}
