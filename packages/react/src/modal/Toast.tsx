import { useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { useLatchkey } from '../context.ts'
import { useStrings } from '../strings/useStrings.ts'
import { useStore } from '../useStore.ts'
import { Icon } from './parts.tsx'

/** The short notice, above everything. Successes are told when there is time, errors at once. */
export function Toast(): ReactElement {
  const toast = useStore(useLatchkey().toast)
  const { signIn: t } = useStrings()
  const popover = useRef<HTMLDivElement>(null)
  // The words stay until they have faded away.
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
            {shown.variant === 'loading' ? <span className="spinner" /> : <Icon name={isError ? 'warn' : 'check'} />}
            <span>{shown.said === undefined ? shown.message : t[shown.said]}</span>
          </>
        )}
      </div>
    </div>
  )
}
