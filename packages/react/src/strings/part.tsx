import type { ReactElement, ReactNode } from 'react'
import { useChunk, type Load } from '../chunks.ts'
import { useSurroundings } from '../context.ts'
import { SkeletonRows } from '../modal/parts.tsx'

/** The texts of a part of the interface: they come with the part, not with the modal. */
export type Part<texts extends object> = {
  /** Under which an app replaces single texts. */
  readonly name: string
  readonly en: texts
  /** The languages beside English, each fetched when it is used. */
  readonly locales: { readonly [locale: string]: Load<{ strings: texts }> | undefined }
}

/** Draws a part once its texts are there in the language in use; in English when they cannot be fetched. */
export function Spoken<texts extends object>({
  part,
  room,
  children,
}: {
  part: Part<texts>
  /** What takes their place until then; some rows when left out. */
  room?: ReactNode
  children: ReactNode
}): ReactElement {
  const { locale = 'en' } = useSurroundings()
  const load = part.locales[locale]
  if (useChunk(load) !== undefined || load === undefined) return <>{children}</>
  if (room !== undefined) return <>{room}</>
  return (
    <ul className="rows">
      <SkeletonRows count={3} />
    </ul>
  )
}

/** What a part says, in the visitor's language; to be used within `Spoken`. */
export function usePart<texts extends object>({ name, en, locales }: Part<texts>): texts {
  const { locale = 'en', strings } = useSurroundings()
  const spoken = useChunk(locales[locale], false)
  const texts = spoken === undefined || spoken === 'failed' ? en : spoken.strings
  const own = (strings as { readonly [part: string]: Partial<texts> | undefined } | undefined)?.[name]
  return own === undefined ? texts : { ...texts, ...own }
}
