package main

import (
	"context"

	"github.com/ogen-go/ogen/ogenerrors"

	petstore "example.com/petstore/client"
)

// SessionCookie is not sent: the key is enough.
func (own credentials) SessionCookie(context.Context, petstore.OperationName) (petstore.SessionCookie, error) {
	return petstore.SessionCookie{}, ogenerrors.ErrSkipClientSecurity
}
