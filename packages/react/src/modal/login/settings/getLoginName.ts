import type { LoginUser } from '@latchkey/core'

/** Returns the name of the user who is logged in. Old Discord names end in a number; for new ones it is 0. */
export function loginName({ email, userName, social }: LoginUser): string | undefined {
  if (social === undefined) return email ?? userName
  const name = social === 'discord' ? userName?.replace(/#0$/, '') : userName
  return name ?? email
}
