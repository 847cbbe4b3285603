import type { AccountState } from '@latchkey/core'
import { useEffect, useState } from 'react'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'

const loadBalanceText = (): Promise<typeof import('./watchBalanceText.ts')> => import('./watchBalanceText.ts')

/** Returns the formatted balance. The code that reads it is loaded once a wallet is connected. */
export function useBalanceText(account: AccountState, isWanted: boolean): string | undefined {
  const { latchkey, locale } = useLatchkeyContext()
  const wanted = isWanted && account.status === 'connected'
  const chunk = useChunk(loadBalanceText, wanted)
  const [read, setRead] = useState<{ account: AccountState; text: string | undefined }>()
  useEffect(() => {
    if (!wanted || chunk === undefined || chunk === 'failed') return
    return chunk.watchBalanceText({ latchkey, account, locale }, (text) => setRead({ account, text }))
  }, [wanted, chunk, latchkey, account, locale])
  return wanted && read?.account === account ? read.text : undefined
}
