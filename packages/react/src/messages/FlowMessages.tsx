import type { MessageChunk } from '@latchkey/protocol/messages'
import type { ReactElement, ReactNode } from 'react'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'
import { SkeletonRows } from '../modal/parts/index.tsx'

/** Renders a flow once its texts are loaded in the current language, or in English if they cannot be fetched. */
export function FlowMessages<messages extends object>({
  chunk,
  placeholder,
  children,
}: {
  chunk: MessageChunk<messages>
  /** Shown until then. Three rows if left out. */
  placeholder?: ReactNode
  children: ReactNode
}): ReactElement {
  const { locale = 'en' } = useLatchkeyContext()
  const load = chunk.translations[locale]
  const translation = useChunk(load)
  if (translation !== undefined || load === undefined) return <>{children}</>
  if (placeholder !== undefined) return <>{placeholder}</>
  return (
    <ul className="rows">
      <SkeletonRows count={3} />
    </ul>
  )
}
