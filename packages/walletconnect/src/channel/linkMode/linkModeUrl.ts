import type { Metadata } from '../../session/metadata.ts'
import { parseRedirect } from '../../session/redirect.ts'

/** Returns the universal link of a side in link mode, or `undefined` if it does not support link mode. */
export function linkModeUrl({ redirect }: Pick<Metadata, 'redirect'>): string | undefined {
  return redirect?.linkMode === true ? parseRedirect(redirect).universal : undefined
}
