import type { FrameRequests } from '@latchkey/protocol'
import { RpcError } from '../chain/rpcError.ts'
import { themeNames, type Theme } from '../screens/theme.ts'

/** Accepted values: plain colours and lengths. Nothing that loads, computes or ends a rule. */
const values = [
  /^#[0-9a-f]{3,8}$/i,
  /^(?:rgb|hsl)a?\([\d\s.,%/-]{1,60}\)$/i,
  /^okl(?:ch|ab)\([\d\s.,%/a-z-]{1,60}\)$/i,
  /^[a-z]{3,20}$/i,
  /^\d{1,3}(?:\.\d{1,3})?(?:px|rem|em|%)?$/,
]
const longest = 64

/**
 * Parses the part of a page's theme that may style the frame.
 *
 * @throws RpcError -32602 if a known name has a value that is neither a colour nor a length
 */
export function parseTheme({ themeMode, themeVariables = {} }: FrameRequests['SYNC_THEME']['payload']): Theme {
  const known = themeNames.flatMap((name) => {
    const value = Object.hasOwn(themeVariables, name) ? themeVariables[name]?.trim() : undefined
    if (value === undefined) return []
    if (value.length > longest || !values.some((form) => form.test(value))) {
      throw new RpcError(-32_602, `The theme's ${name} is neither a colour nor a length.`)
    }
    return [[name, value] as const]
  })
  return { themeMode, themeVariables: Object.fromEntries(known) }
}
