import { useEffect, useRef } from 'react'
import { dismissNotice } from '../wallet/notices.ts'
import { useWallet, useWalletState } from './useStore.ts'

/** What has just happened, in one line that goes away by itself, over whatever is open. */
export function Notices() {
  const wallet = useWallet()
  const { notice } = useWalletState()
  const popover = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const { current } = popover
    // Shown anew each time, because the newest in the top layer lies over a sheet that opened in between.
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
