import type { AccountState } from '@latchkey/core'
import { useEffect, useState } from 'react'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'

const loadBalanceText = (): Promise<typeof import('./watchBalanceText.ts')> => import('./watchBalanceText.ts')

/** Returns the formatted balance. The code that reads it is loaded once a wallet is connected. */
export function useBalanceText(account: AccountState, isWanted: boolean): string | undefined {
  const { latchkey, locale } = useLatchkeyContext()
  // Every change of the wallet state creates another object for the same account, whose balance stays shown.
  const holder =
    isWanted && account.status === 'connected' ? `${account.network.caipNetworkId} ${account.address}` : undefined
  const chunk = useChunk(loadBalanceText, holder !== undefined)
  const [read, setRead] = useState<{ holder: string; text: string | undefined }>()
  useEffect(() => {
    if (holder === undefined || chunk === undefined || chunk === 'failed') return
    return chunk.watchBalanceText({ latchkey, account, locale }, (text) => setRead({ holder, text }))
  }, [holder, chunk, latchkey, account, locale])
  return holder !== undefined && read?.holder === holder ? read.text : undefined
}
