// The smallest possible login page of this stack: React, a router with two routes, one form. The product is measured against it.
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider, useNavigate } from '@tanstack/react-router'
import { StrictMode, useState, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'

function Login() {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate({ to: '/vouchers' })
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor="email">Email</label>
      <input id="email" type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <label htmlFor="password">Password</label>
      <input id="password" type="password" />
      <button type="submit">Log in</button>
    </form>
  )
}

const root = createRootRoute({ component: Outlet })
const login = createRoute({ getParentRoute: () => root, path: '/login', component: Login })
const vouchers = createRoute({ getParentRoute: () => root, path: '/vouchers', component: () => 'Vouchers' })
const router = createRouter({ routeTree: root.addChildren([login, vouchers]) })

createRoot(document.querySelector('#root') ?? document.body).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
