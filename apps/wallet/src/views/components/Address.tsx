import { shortenAddress } from '@latchkey/core'
import { showNotice } from '../../wallet/showNotice.ts'
import { useWallet } from '../useStore.ts'
import { Icon } from './Icon.tsx'

/** A shortened address. The tooltip shows it in full, and screen readers read each character. */
export function Address({ value }: { value: string }) {
  return (
    <span className="address" title={value}>
      <span aria-hidden="true">{shortenAddress(value)}</span>
      <span className="spoken">{[...value].join(' ')}</span>
    </span>
  )
}

/** An address in full, for decisions where every character matters. */
export function FullAddress({ value }: { value: string }) {
  const { adapters } = useWallet()
  const own = adapters.flatMap(({ accounts }) => accounts).find(({ address }) => equalsAddress(address, value))
  return (
    <span className="full-address">
      {own !== undefined && <span className="own">{own.name}, yours</span>}
      <span aria-hidden="true">{value}</span>
      <span className="spoken">{[...value].join(' ')}</span>
    </span>
  )
}

export function CopyButton({ value, what }: { value: string; what: string }) {
  const wallet = useWallet()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value)
      showNotice(wallet, 'done', `Copied the ${what}.`)
    } catch {
      showNotice(wallet, 'failure', `The browser blocked copying. Select the ${what} and copy it manually.`)
    }
  }
  return (
    <button type="button" className="icon-button" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  )
}

function equalsAddress(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
