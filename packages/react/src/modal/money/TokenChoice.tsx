import { hiddenAssets, isHiddenAsset, type SendToken } from '@latchkey/core/money'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { useStore } from '../../useStore.ts'
import { SearchField } from '../parts/SearchField.tsx'
import { FoundToken } from './FoundToken.tsx'
import { useTokenLookup } from './useTokenLookup.ts'

export type TokenChoiceProps = {
  labels: { readonly search: string; readonly noTokens: string }
  /** The symbols of all known tokens. */
  symbols: readonly string[]
  /** True once the tokens are loaded. */
  isLoaded: boolean
  /**
   * Lists the tokens for a search.
   *
   * @param isVisible true unless the user hid the token with this id. A search also finds hidden tokens.
   * @returns the number of found tokens, and their rows
   */
  list(search: string, isVisible: (id: string | undefined) => boolean): { count: number; rows: ReactNode }
  /** Called with a token of the chain that the user imported by its address. */
  onImport(token: SendToken): void
}

/** A token list with a search. The address of an unknown token finds it on the chain. */
export function TokenChoice({ labels, symbols, isLoaded, list, onImport }: TokenChoiceProps): ReactElement {
  const { allWallets } = useModalMessages()
  const hidden = useStore(hiddenAssets(useLatchkey()))
  const [search, setSearch] = useState('')
  const isVisible = (id: string | undefined): boolean => search.trim() !== '' || !isHiddenAsset(hidden, id)
  const { count, rows } = list(search, isVisible)
  const found = useTokenLookup(isLoaded && count === 0 ? search : undefined)
  return (
    <>
      <SearchField label={labels.search} clearLabel={allWallets.clear} value={search} onChange={setSearch} />
      {rows}
      <FoundToken found={found} symbols={symbols} onImport={onImport} />
      <p className="hint center" role="status">
        {isLoaded && count === 0 && found === undefined && labels.noTokens}
      </p>
    </>
  )
}
