import { isStringList, isUnknownRecord, truncateText } from '../primitives/unknownRecord.ts'
import { parseRedirect, type Redirect } from './redirect.ts'

/** The description that a side gives of itself. */
export type Metadata = {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly icons: readonly string[]
  /** The links that open its app. */
  readonly redirect?: Redirect
}

/** Parses the metadata of the other side. Every member may be missing. */
export function parseMetadata(value: unknown): Metadata {
  const { name, description, url, icons, redirect } = isUnknownRecord(value) ? value : {}
  return {
    name: truncateText(name, 'Unnamed'),
    description: truncateText(description, ''),
    url: truncateText(url, ''),
    icons: isStringList(icons) ? icons.slice(0, 4) : [],
    redirect: isUnknownRecord(redirect) ? parseRedirect(redirect) : undefined,
  }
}
