import { shortenAddress } from '@latchkey/core'
import { tell } from '../../wallet/notices.ts'
import { useWallet } from '../useStore.ts'
import { Icon } from './Icon.tsx'

/** An address in short: the whole of it on demand, and character by character to a screen reader. */
export function Address({ value }: { value: string }) {
  return (
    <span className="address" title={value}>
      <span aria-hidden="true">{shortenAddress(value)}</span>
      <span className="spoken">{[...value].join(' ')}</span>
    </span>
  )
}

/** An address in full, for decisions that hang on every character. */
export function FullAddress({ value }: { value: string }) {
  const { families } = useWallet()
  const own = families.flatMap(({ accounts }) => accounts).find(({ address }) => isSame(address, value))
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
      tell(wallet, 'done', `Copied the ${what}.`)
    } catch {
      tell(wallet, 'failure', `The browser did not let the wallet copy. Select the ${what} and copy it by hand.`)
    }
  }
  return (
    <button type="button" className="icon-button" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  )
}

function isSame(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
