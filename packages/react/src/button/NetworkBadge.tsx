import { modalOf } from '@latchkey/modal'
import type { Network } from '@latchkey/protocol'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

export type NetworkBadgeProps = { network: Network; name: string; isConnected: boolean }

/**
 * Shows the icon of a network: one that the app embeds, or once the visitor has acted, the one that the server has. Until
 * then no other origin is contacted, and the first letter of the name replaces the icon.
 */
export function NetworkBadge({ network, name, isConnected }: NetworkBadgeProps): ReactElement {
  const latchkey = useLatchkey()
  const hasActed = useHasOpenedModal() || isConnected
  const [loaded, setLoaded] = useState<{ network: Network; icon: string | undefined }>()
  const [failed, setFailed] = useState<string>()
  const embedded = network.assets?.imageUrl?.startsWith('data:') === true ? network.assets.imageUrl : undefined
  const needsIcon = hasActed && embedded === undefined
  useEffect(() => {
    if (!needsIcon) return
    let isCurrent = true
    import('./getNetworkIcon.ts').then(
      ({ getNetworkIcon }) => {
        if (isCurrent) setLoaded({ network, icon: getNetworkIcon(latchkey, network) })
      },
      // The letter stays.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [latchkey, network, needsIcon])
  const icon = embedded ?? (loaded?.network === network ? loaded.icon : undefined)
  if (icon === undefined || icon === failed) return <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i>
  return <img src={icon} alt="" width={24} height={24} onError={() => setFailed(icon)} />
}

/** Returns true once the floating modal was open. An embedded one is part of the page, so it tells nothing. */
function useHasOpenedModal(): boolean {
  const modal = modalOf(useLatchkey())
  const isOpen = useStore(modal.state).open
  const isFloating = useStore(modal.embeds) === 0
  const [hasOpened, setHasOpened] = useState(false)
  if (isOpen && isFloating && !hasOpened) setHasOpened(true)
  return hasOpened
}
