import { hideToast, modalOf, type StandardNotice } from '@latchkey/modal'
import { useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { useStore } from '../../useStore.ts'
import { Icon } from '../parts/index.tsx'

/** The toast. Screen readers announce successes politely and errors at once. */
export function Toast(): ReactElement {
  const latchkey = useLatchkey()
  const toast = useStore(modalOf(latchkey).toast)
  const { signIn, connect, modal } = useModalMessages()
  const t: { readonly [notice in StandardNotice]: string } = { ...signIn, ...connect }
  const popover = useRef<HTMLDivElement>(null)
  // Keeps the text while the toast fades out.
  const [shown, setShown] = useState(toast)
  if (toast.open && toast !== shown) setShown(toast)
  useLayoutEffect(() => {
    if (toast.open) popover.current?.showPopover()
    else popover.current?.hidePopover()
  }, [toast.open])
  const isError = shown.open && shown.variant === 'error'
  return (
    <div role={isError ? 'alert' : 'status'}>
      <div
        ref={popover}
        className="toast"
        part="toast"
        popover="manual"
        data-variant={shown.open ? shown.variant : undefined}
      >
        {shown.open && (
          <>
            {shown.variant === 'loading' ? (
              <span className="spinner" />
            ) : (
              <Icon name={shown.variant === 'success' ? 'check' : 'warn'} />
            )}
            <span>
              {shown.notice === undefined ? shown.message : t[shown.notice]}
              {shown.link !== undefined && (
                <a className="link" href={shown.link.href} target="_blank" rel="noopener noreferrer">
                  {shown.link.label}
                  <Icon name="external" size={16} />
                </a>
              )}
            </span>
            {!shown.autoClose && shown.variant !== 'loading' && (
              <button
                type="button"
                className="icon-button"
                aria-label={modal.close}
                onClick={() => hideToast(latchkey)}
              >
                <Icon name="close" size={16} />
              </button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
