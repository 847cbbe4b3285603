import { useEffect, useRef } from 'react'
import { dismissNotice } from '../wallet/showNotice.ts'
import { useWallet, useWalletState } from './useStore.ts'

/** Shows the latest notice above everything else. It disappears after a while. */
export function Notices() {
  const wallet = useWallet()
  const { notice } = useWalletState()
  const popover = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const { current } = popover
    // Reopens for each notice: the newest element of the top layer covers a sheet that opened in between.
    current?.showPopover()
    return () => current?.hidePopover()
  }, [notice])

  return (
    <div ref={popover} className="notices" popover="manual">
      <output>{notice?.tone === 'done' && <span className="notice">{notice.text}</span>}</output>
      <div role="alert">
        {notice?.tone === 'failure' && (
          <p className="notice failure">
            {notice.text}
            <button type="button" className="quiet-button" onClick={() => dismissNotice(wallet)}>
              Dismiss
            </button>
          </p>
        )}
      </div>
    </div>
  )
}
