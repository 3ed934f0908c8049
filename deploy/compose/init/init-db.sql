IF DB_ID('$(database)') IS NULL CREATE DATABASE [$(database)];
GO
USE [$(database)];
GO
IF OBJECT_ID('dbo.customers') IS NULL
BEGIN
    CREATE TABLE dbo.customers (id INT IDENTITY PRIMARY KEY, name NVARCHAR(100) NOT NULL, created_at DATETIME2 NOT NULL DEFAULT SYSUTCDATETIME());
    INSERT INTO dbo.customers (name) VALUES (N'Ana'), (N'Bruno'), (N'Clara');
END
GO
