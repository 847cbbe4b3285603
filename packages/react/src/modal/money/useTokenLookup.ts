import { findToken, type SendToken } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../context.ts'
import { useAccount } from '../../hooks/useAccount.ts'

/** The result of a lookup. `undefined` if nothing is looked up. */
export type TokenLookup = SendToken | 'loading' | 'none' | 'unreachable' | undefined

/**
 * Reads the token at an entered address from the active network.
 *
 * @param entry the entry; undefined or another text than an address looks up nothing
 */
export function useTokenLookup(entry: string | undefined): TokenLookup {
  const latchkey = useLatchkey()
  const [lookup, setLookup] = useState<{ address: string; result: TokenLookup }>()
  const { network } = useAccount()
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const text = entry?.trim() ?? ''
  // Tokens can be read if their namespace has transfers.
  const address = adapter?.transfers !== undefined && adapter.isAddress(text) ? text : undefined
  useEffect(() => {
    if (address === undefined) return
    let isOver = false
    const show = (result: TokenLookup): void => {
      if (!isOver) setLookup({ address, result })
    }
    findToken(latchkey, address).then(show, (error: unknown) =>
      show(isLatchkeyError(error) && error.code === 'rpc/unreachable' ? 'unreachable' : 'none'),
    )
    return () => void (isOver = true)
  }, [latchkey, address])
  if (address === undefined) return undefined
  return lookup?.address === address ? lookup.result : 'loading'
}
