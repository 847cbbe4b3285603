/** What the screens say that are about smart accounts. */
export const smart = {
  title: 'Smart account',
}
