import { createContext, useContext } from 'react'

/** True below the view that is rendered before the modal opens. */
export const IsPreparedContext: React.Context<boolean> = createContext(false)

/** Returns true before the modal opens. Components then send no requests and load no pictures. */
export function useIsPrepared(): boolean {
  return useContext(IsPreparedContext)
}
