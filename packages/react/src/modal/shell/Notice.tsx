import { modalOf } from '@latchkey/modal'
import { useLayoutEffect, useRef, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'
import { Alert } from './Alerts.tsx'

/**
 * Warns, while the modal is closed, that the wallet is on a network that the app does not use. It disappears once the
 * wallet is on a supported network.
 */
export function Notice(): ReactElement {
  const popover = useRef<HTMLDivElement>(null)
  const isShown = useStore(modalOf(useLatchkey()).alerts).some(
    ({ code, dismissed }) => code === 'network-unsupported' && !dismissed,
  )
  useLayoutEffect(() => {
    if (isShown) popover.current?.showPopover()
    else popover.current?.hidePopover()
  }, [isShown])
  return (
    <div aria-live="polite">
      <div ref={popover} className="toast bar" part="notice" popover="manual">
        {isShown && <Alert code="network-unsupported" />}
      </div>
    </div>
  )
}
