import type { Feature } from '@latchkey/core'
import { pushView, type ViewEntry } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { usePreloadViews } from '../../../shell/usePreloadViews.ts'
import { useViewLoaders } from '../../../shell/viewLoaders.ts'
import { useSupported } from './useSupported.ts'

type Action = { feature: Feature; name: keyof Strings['money']; entry: ViewEntry; path: string }

const actions: readonly Action[] = [
  { feature: 'onramp', name: 'buy', entry: { view: 'OnRampProviders', params: {} }, path: 'M10 4.5v11M4.5 10h11' },
  {
    feature: 'swaps',
    name: 'swap',
    entry: { view: 'Swap', params: {} },
    path: 'M4.5 7.5h11m-3-3 3 3-3 3M15.5 13.5h-11m3-3-3 3 3 3',
  },
  {
    feature: 'receive',
    name: 'receive',
    entry: { view: 'WalletReceive', params: {} },
    path: 'M10 4v8.5m-4-4 4 4 4-4M4.5 16h11',
  },
  {
    feature: 'send',
    name: 'send',
    entry: { view: 'WalletSend', params: {} },
    path: 'M10 15.5V5m-4.5 4.5L10 5l4.5 4.5',
  },
]

/** The actions of an account, as far as its network and the app support them [R2.3] [R9.3.1]. */
export function Actions(): ReactElement | null {
  const latchkey = useLatchkey()
  const { money: t } = useModalMessages()
  const supported = useSupported()
  const views = useViewLoaders()
  const preloadViews = usePreloadViews()
  const shown = actions.filter(({ feature, entry }) => supported(feature) && views[entry.view] !== undefined)
  if (shown.length === 0) return null
  return (
    <div className="actions" part="actions">
      {shown.map(({ feature, name, entry, path }) => (
        <button
          key={feature}
          type="button"
          className="action"
          onPointerEnter={() => preloadViews(entry.view)}
          onFocus={() => preloadViews(entry.view)}
          onClick={() => pushView(latchkey, entry)}
        >
          <svg width={20} height={20} viewBox="0 0 20 20" aria-hidden="true">
            <path d={path} />
          </svg>
          {t[name]}
        </button>
      ))}
    </div>
  )
}
