/** What the screens say that ask for a signature. */
export const approve = {
  reject: 'Reject',
}
