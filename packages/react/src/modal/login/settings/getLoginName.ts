import type { LoginUser } from '@latchkey/core'

/** Returns the name of the user who is logged in. Discord appends `#0` to new user names, which is removed. */
export function getLoginName({ email, userName, social }: LoginUser): string | undefined {
  if (social === undefined) return email ?? userName
  const name = social === 'discord' ? userName?.replace(/#0$/, '') : userName
  return name ?? email
}
